import { readFileSync, SMALL_FILE } from "../../files";
import { SensitiveTexts } from "../../text";

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment variables with the credentials of the state storage, of comments, and of the chat. */
const CREDENTIALS = [
  "TF_HTTP_PASSWORD",
  "TF_HTTP_CLIENT_PRIVATE_KEY_PEM",
  "STEWARD_COMMENT_TOKEN",
  "STEWARD_ADDRESS_KEY",
  "STEWARD_WEBHOOK_URL",
];

/**
 * Returns the secrets of the environment. Callers remove these secrets from texts of other programs: for example, an app that
 * fails may print its environment. Steward's own modules print no secrets.
 */
export function secretsOf(env: Environment): SensitiveTexts {
  const secrets = new SensitiveTexts();
  for (const name of CREDENTIALS) secrets.add(env[name]?.trim());
  secrets.add(tokensIn(env));
  return secrets;
}

/** Returns the tokens for the provider, from environment variables and from the files that these variables name. */
export function tokensIn(env: Environment): string[] {
  const given = [env["STEWARD_TOKEN"], fileContent(env["STEWARD_TOKEN_FILE"])];
  return given.flatMap((token) => token?.trim() || []);
}

function fileContent(file: string | undefined): string | undefined {
  if (!file) return undefined;
  try {
    return readFileSync(file, { maxBytes: SMALL_FILE }).toString("utf8");
  } catch {
    // An unreadable token file contains no secret to remove. The provider reports an unreadable token file when it needs the
    // token.
    return undefined;
  }
}
