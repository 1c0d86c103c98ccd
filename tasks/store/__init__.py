"""Work on a store as a whole: prune, inspect, measure."""
