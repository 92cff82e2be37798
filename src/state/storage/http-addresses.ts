/** The suffix of a journal's name, which follows the name of its state. Storages accept its letters. */
const SUFFIX = "-journal";

/**
 * Query parameters that name a state, for storages whose states differ only by the query. The first name in this list takes
 * precedence.
 */
const NAME_PARAMETERS = ["state", "state_name", "name", "file", "filename", "path", "stack", "workspace"];

/** A parameter of a query as it is written. */
interface RawParameter {
  readonly name: string;
  readonly text: string;
}

/**
 * Returns the URL of the journal of a state: `…/prod-journal` for `…/prod`, and `/?state=prod-journal` for `/?state=prod`. If the
 * name may be in the path or in a parameter, both change, because a storage may use either of them.
 */
export function journalAddressOf(address: URL): URL {
  const journal = new URL(address);
  const parameters = parametersOf(address);
  const name = nameParameter(address, parameters);
  if (!isRoot(address) || name === undefined) journal.pathname = withSuffix(address.pathname);
  if (name !== undefined)
    journal.search = parameters.map((one) => (one === name ? `${one.text}${SUFFIX}` : one.text)).join("&");
  return journal;
}

/** Returns the URL where releases up to 0.2 kept the journal. Only the path differs from the URL of the state. */
export function earlierJournalAddressOf(address: URL): URL {
  const journal = new URL(address);
  journal.pathname = withSuffix(address.pathname);
  return journal;
}

/** Returns a URL for messages. The query may contain a token, so only the name of the state remains of it. */
export function safeUrl(url: URL): string {
  const name = parametersOf(url).find((one) => NAME_PARAMETERS.includes(one.name));
  return `${url.origin}${url.pathname}${name === undefined ? "" : `?${name.text}`}`;
}

/**
 * Returns a key that is equal for two URLs of one resource. The order of parameters and a slash at the end of the path do not
 * count.
 */
export function addressKey(url: URL): string {
  const parameters = [...url.searchParams].map(([name, value]) => JSON.stringify([name, value])).sort();
  return JSON.stringify([url.origin, decoded(withoutSlash(url.pathname)), ...parameters]);
}

const parametersOf = ({ search }: URL): RawParameter[] =>
  search
    .slice(1)
    .split("&")
    .filter((text) => text !== "")
    .map((text) => ({ name: decoded(text.split("=", 1)[0]!).toLowerCase(), text }));

/** At the root, a single parameter is the name of the state, even if its own name is unknown. */
function nameParameter(url: URL, parameters: readonly RawParameter[]): RawParameter | undefined {
  const known = NAME_PARAMETERS.map((name) => parameters.find((one) => one.name === name));
  const only = isRoot(url) && parameters.length === 1 ? parameters[0] : undefined;
  return known.find((one) => one !== undefined) ?? only;
}

const isRoot = ({ pathname }: URL): boolean => withoutSlash(pathname) === "";
const withoutSlash = (pathname: string): string => pathname.replace(/\/+$/, "");
const withSuffix = (pathname: string): string => `${withoutSlash(pathname)}${SUFFIX}`;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
