/** A phrase as a sentence: with a capital letter, and a full stop unless it ends with a punctuation mark. */
export const sentence = (phrase: string): string =>
  `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}`.replace(/([^.?!)])$/, "$1.");
