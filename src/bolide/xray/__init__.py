"""X-ray: see why a system got its score."""
