/** Joins blocks of lines with empty lines between them. Empty blocks are left out. */
export const paragraphs = (blocks: readonly (readonly string[])[]): string[] =>
  blocks
    .filter((block) => block.length > 0)
    .flatMap((block, index) => (index === 0 ? [...block] : ["", ...block]));
