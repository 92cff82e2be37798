/**
 * Formats a phrase as a sentence, with a capital letter. It adds a full stop unless the phrase ends with a
 * punctuation mark.
 */
export const sentence = (phrase: string): string =>
  `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}`.replace(/([^.?!)])$/, "$1.");
