/** Codes that `src/adopt` raises. */
export const ADOPT_CODES = {
  adoption_source_invalid: {
    meaning: "The file of --into is not TypeScript or JavaScript. Nothing was written.",
    remedy:
      "Correct the syntax at the place that the message names, or give the file that declares the stack.",
  },
  adoption_file_not_found: {
    meaning:
      "The file of --into does not exist, or no app with a cdktf.json is around it. Nothing was written.",
    remedy: "Give the file of an app that declares its stack; --out writes a new app.",
  },
  no_place_to_insert: {
    meaning: "The file of --into declares no stack, or several. Nothing was written.",
    remedy: "Give the file that declares the stack; move several stacks into files of their own.",
  },
} as const;
