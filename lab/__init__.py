"""What studies fabula: speed, quality, fitting, simulations. It imports fabula; fabula never imports it."""
