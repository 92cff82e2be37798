import type { ByMode } from "../settings/compat-mode";

/** Where CI/CD templates are served: under the neutral word of the specification, and the one that real clients send. */
export const TEMPLATE_WORDS: Readonly<Record<string, ByMode<boolean>>> = {
  platform_ci_ymls: { strict: true, observed: false },
  gitlab_ci_ymls: { strict: true, observed: true },
};
