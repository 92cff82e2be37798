import type { Choice, Habit } from "../settings/settings";

export const publicTemplateWord: Habit = {
  name: "public-template-word",
  does: "templates exist only at `gitlab_ci_ymls`; read when the service starts",
  client: "an error that says which value to set as `templates_path`",
  since: "always",
  sources: ["[GitLab CI YAML API](https://docs.gitlab.com/api/templates/gitlab_ci_ymls/)"],
  on: "observed",
};

/**
 * The two path segments that URLs of CI/CD templates can have. For each segment, the choice says whether the service
 * serves URLs with this segment.
 */
export const TEMPLATE_WORDS: Readonly<Record<string, Choice<boolean>>> = {
  platform_ci_ymls: { habit: publicTemplateWord, off: true, on: false },
  gitlab_ci_ymls: { habit: publicTemplateWord, off: true, on: true },
};
