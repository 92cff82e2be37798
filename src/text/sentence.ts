/** Formats a phrase as a sentence, with a capital letter. Adds a full stop if the phrase does not end with a punctuation mark. */
export const sentence = (phrase: string): string =>
  `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}`.replace(/([^.?!)])$/, "$1.");
