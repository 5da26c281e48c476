"""The map: range and distance, placing pieces, tiles and gates."""
