"""What may enter the log: runs that a lane signed, records in their one form, packs that agree with their rulings."""
