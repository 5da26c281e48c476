"""The scene: map, panels, and what a click decides."""
