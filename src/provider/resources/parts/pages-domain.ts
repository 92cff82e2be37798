import { domainToASCII } from "node:url";
import { ApiError } from "../../../api";

/** A host, or its `https://` address. */
const FORM = /^(?:https:\/\/)?[^\s/:?#@]+\/?$/i;

/** Says what is wrong with a primary domain, in a sentence; nothing when it is right. `""` stands for none. */
export const checkDomain = (domain: string): string | undefined =>
  domain === "" || FORM.test(domain)
    ? undefined
    : `${JSON.stringify(domain)} is no domain. Give its name, such as "docs.example.com", or its address, "https://docs.example.com".`;

/** The host of a domain, the same for its name and its address, in capital and small letters, with and without a dot at the end. */
export function hostOf(domain: string): string {
  const host = domain
    .replace(/^https?:\/\//i, "")
    .replace(/\/$/, "")
    .replace(/\.$/, "");
  return domainToASCII(host) || host.toLowerCase();
}

/**
 * Sends a primary domain as it is declared and, after a 400, in the other forms: releases differ in whether it is the
 * name of a domain or its address, which is plain http where the domain has no certificate.
 *
 * @throws what the service says of the declared form, where it takes none
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
  // Who declares https does not want http.
  return [...new Set([declared, host, `https://${host}`, ...(isAddress ? [] : [`http://${host}`])])];
}
