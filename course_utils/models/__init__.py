"""What is made of the ground floor: models that are trained in front of the student, a real
encoder, and the small tasks."""
