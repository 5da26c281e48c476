"""Totals counted again, for audits."""
