"""Phase 4: what a player may do, and combat."""
