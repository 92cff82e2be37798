import type { ByMode } from "../settings/compat-mode";

/** Path segments of CI/CD templates: of the specification, and the one that real clients use. */
export const TEMPLATE_WORDS: Readonly<Record<string, ByMode<boolean>>> = {
  platform_ci_ymls: { strict: true, observed: false },
  gitlab_ci_ymls: { strict: true, observed: true },
};
