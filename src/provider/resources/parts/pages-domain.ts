import { domainToASCII } from "node:url";
import { ApiError } from "../../../api";

/** A host, or its `https://` URL. */
const FORM = /^(?:https:\/\/)?[^\s/:?#@]+\/?$/i;

/** The error message for an invalid primary domain; undefined if it is valid. `""` means no domain. */
export const checkDomain = (domain: string): string | undefined =>
  domain === "" || FORM.test(domain)
    ? undefined
    : `${JSON.stringify(domain)} is not a valid domain. Write a host, such as "docs.example.com", or a URL, such as "https://docs.example.com".`;

/** The normalized host of a domain: equal for a host and its URL, whatever the case, with or without a trailing dot. */
export function hostOf(domain: string): string {
  const host = domain
    .replace(/^https?:\/\//i, "")
    .replace(/\/$/, "")
    .replace(/\.$/, "");
  return domainToASCII(host) || host.toLowerCase();
}

/**
 * Sends a primary domain as declared and, after a 400, in its other forms: some releases expect the host, others its
 * URL, which is `http://` for a domain without a certificate.
 *
 * @throws ApiError the response to the declared form, if the service refuses all forms
 */
export async function sendDomain<T>(declared: string, send: (domain: string) => Promise<T>): Promise<T> {
  let refused: unknown;
  for (const domain of formsOf(declared)) {
    try {
      return await send(domain);
    } catch (problem) {
      if (!(problem instanceof ApiError && problem.status === 400)) throw problem;
      refused ??= problem;
    }
  }
  throw refused;
}

function formsOf(declared: string): readonly string[] {
  if (declared === "") return [declared];
  const host = hostOf(declared);
  const isAddress = /^https:/i.test(declared);
  // A declared https URL must never be downgraded to http.
  return [...new Set([declared, host, `https://${host}`, ...(isAddress ? [] : [`http://${host}`])])];
}
