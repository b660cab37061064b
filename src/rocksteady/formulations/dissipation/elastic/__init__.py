"""The elastic block: plane-stress finite elements on a bed of unilateral springs."""
