"""Learning a language: function words, phrase tables and paraphrases from parallel text."""
