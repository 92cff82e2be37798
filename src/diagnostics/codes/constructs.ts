/** Codes that `src/constructs` raises. */
export const CONSTRUCT_CODES = {
  wrong_package: {
    meaning:
      "A construct of `cdktf-provider-steward` is in a stack of `cdktn`, or a construct of `cdktn-provider-steward` in a stack of `cdktf`. Only the library that a construct was made for can synthesize it.",
    remedy: "Install and import the package that the message names: the one for the library of the app.",
  },
} as const;
