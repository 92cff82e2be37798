import type { Habit } from "../settings/settings";

export const signInPage: Habit = {
  name: "sign-in-page",
  does: "the response to every write is `200` with the HTML of a sign-in page, and the write is not done",
  client:
    "an unknown outcome: reads the object, and reports `unexpected_answer` unless that proves the write",
  since: "always, behind a single sign-on proxy whose session has ended",
  sources: [
    "[Error when trying to sign in to GitLab Selfhosted](https://github.com/TeamCodeStream/codestream/issues/332) (a sign-in page)",
    '[403 GitLabHttpError: "Checking your Browser" HTML returned rather than API output](https://github.com/python-gitlab/python-gitlab/issues/2510)',
  ],
  on: "by name",
};

export const SIGN_IN_PAGE =
  "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body></body></html>\n";
