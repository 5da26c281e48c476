"""Everything computed from a log: stories, drawings, comparisons, audits and verification."""
