import { readFileSync, SMALL_FILE } from "../../files";
import { SensitiveTexts } from "../../text";

type Environment = Readonly<Record<string, string | undefined>>;

/** The credentials of the state storage, of comments, and of the chat. */
const CREDENTIALS = [
  "TF_HTTP_PASSWORD",
  "TF_HTTP_CLIENT_PRIVATE_KEY_PEM",
  "STEWARD_COMMENT_TOKEN",
  "STEWARD_ADDRESS_KEY",
  "STEWARD_WEBHOOK_URL",
];

/**
 * Returns the token and the credentials of the state storage, to remove them from texts. Steward's own modules do not print them.
 * Texts of other programs can contain them, such as the output of an app that failed and printed its environment.
 */
export function secretsOf(env: Environment): SensitiveTexts {
  const secrets = new SensitiveTexts();
  for (const name of CREDENTIALS) secrets.add(env[name]?.trim());
  secrets.add(tokensIn(env));
  return secrets;
}

/** Returns the tokens for the provider in the environment, as values or from files. */
export function tokensIn(env: Environment): string[] {
  const given = [env["STEWARD_TOKEN"], fileContent(env["STEWARD_TOKEN_FILE"])];
  return given.flatMap((token) => token?.trim() || []);
}

function fileContent(file: string | undefined): string | undefined {
  if (!file) return undefined;
  try {
    return readFileSync(file, { maxBytes: SMALL_FILE }).toString("utf8");
  } catch {
    // The provider reports an unreadable token file when it needs it; here there is simply no secret to
    // remove.
    return undefined;
  }
}
