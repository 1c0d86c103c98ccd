"""People in the data: stable pseudonyms in place of names, and masks for contact data; every pipeline's texts pass here."""
