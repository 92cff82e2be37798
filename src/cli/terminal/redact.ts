import { readFileNow, SMALL_FILE } from "../../files";
import { SensitiveTexts } from "../../text";

/** What the environment may hold that nobody else shall see. */
const SECRETS = ["STEWARD_TOKEN", "TF_HTTP_PASSWORD", "TF_HTTP_CLIENT_PRIVATE_KEY_PEM"];

/**
 * Takes the token and the credentials of the state's storage out of a text. No room below prints them; this is for
 * what others print and we pass on, such as the words of an app that failed with its whole environment.
 */
export function redactor(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const secrets = new SensitiveTexts();
  for (const name of SECRETS) secrets.keep(env[name]?.trim());
  secrets.keep(fileContent(env["STEWARD_TOKEN_FILE"])?.trim());
  return (text) => secrets.hideIn(text);
}

function fileContent(file: string | undefined): string | undefined {
  if (!file) return undefined;
  try {
    return readFileNow(file, { maxBytes: SMALL_FILE }).toString("utf8");
  } catch {
    // The provider tells of an unreadable token file when it needs it; here it only means that there is no secret.
    return undefined;
  }
}
