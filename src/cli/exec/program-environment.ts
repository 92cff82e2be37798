import { z } from "zod";
import { fail } from "../../diagnostics";
import { parseJson } from "../../json";
import { tokensIn } from "../terminal/redact";

type Environment = Readonly<Record<string, string | undefined>>;

const REATTACH = "TF_REATTACH_PROVIDERS";
const TOKEN = "STEWARD_TOKEN";
const TOKEN_FILE = "STEWARD_TOKEN_FILE";
/** A shorter token may occur in other values by chance. */
const MIN_TOKEN_LENGTH = 8;

/**
 * The environment for a program that uses the provider of this process: without the token, which the provider
 * has, and with the provider added to TF_REATTACH_PROVIDERS.
 *
 * @param reattach the provider's own entry of TF_REATTACH_PROVIDERS, as JSON
 * @throws DiagnosticError `reattach_invalid`
 */
export function programEnvironment(env: Environment, reattach: string): Record<string, string> {
  const others = reattachedIn(env);
  const own = z.record(z.string(), z.unknown()).parse(parseJson(reattach));
  const withheld = new Set(withheldNames(env));
  const remaining = Object.entries(env).filter(([name, value]) => value !== undefined && !withheld.has(name));
  return { ...Object.fromEntries(remaining), [REATTACH]: JSON.stringify({ ...others, ...own }) };
}

/**
 * The variables that hold the token or name its file. Terraform's own variables stay, such as
 * TF_HTTP_PASSWORD, since they are meant for Terraform.
 */
export function withheldNames(env: Environment): string[] {
  const tokens = tokensIn(env);
  const file = env[TOKEN_FILE];
  const holdsToken = (value: string) =>
    value === file ||
    tokens.some(
      (token) => value.trim() === token || (token.length >= MIN_TOKEN_LENGTH && value.includes(token)),
    );
  return Object.entries(env).flatMap(([name, value = ""]) => {
    if (name === TOKEN || name === TOKEN_FILE) return [name];
    return value !== "" && !name.startsWith("TF_") && holdsToken(value) ? [name] : [];
  });
}

/** The providers that other processes serve. */
function reattachedIn({ [REATTACH]: text }: Environment): Readonly<Record<string, unknown>> {
  if (!text) return {};
  try {
    return z.record(z.string(), z.looseObject({})).parse(parseJson(text));
  } catch {
    return fail({
      code: "reattach_invalid",
      summary: "Invalid TF_REATTACH_PROVIDERS",
      detail:
        `${REATTACH} is not a JSON object of providers, so this provider can't be added to it. ` +
        "The program was not started. Correct the variable, or unset it.",
    });
  }
}
