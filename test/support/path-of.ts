import { type DiagnosticPath, formatPath } from "../../src/diagnostics";

/** Returns a matcher for the path of a diagnostic, given as users see it, such as `target_projects["acme/docs"]`. */
export const pathOf = (text: string) => ({
  $$typeof: Symbol.for("jest.asymmetricMatcher"),
  asymmetricMatch: (path: DiagnosticPath) => Array.isArray(path) && formatPath(path) === text,
  toString: () => "pathOf",
  toAsymmetricMatcher: () => `pathOf<${text}>`,
});
