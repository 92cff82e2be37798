import { type Content, html, type Markup } from "./markup";

/** The address if it is one of the web: `javascript:` and other schemes are none. */
function webAddress(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isWeb = parsed?.protocol === "https:" || parsed?.protocol === "http:";
  // User names in an address only serve to disguise the host.
  return isWeb && parsed.username === "" && parsed.password === "" ? parsed.href : undefined;
}

/** A link to a page of the service; the content alone if the address is missing or is not an http(s) address. */
export function link(url: string | undefined, content: Content): Markup {
  const address = url === undefined ? undefined : webAddress(url);
  return address === undefined
    ? html`${content}`
    : html`<a href="${address}" rel="noopener noreferrer">${content}</a>`;
}
