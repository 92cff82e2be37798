/**
 * The suffix that makes the name of a journal from the name of its state. The suffix contains only characters that
 * storages accept in names.
 */
const SUFFIX = "-journal";

/**
 * Query parameters that name a state, for storages whose states differ only by the query. If a URL contains several of these
 * parameters, the first parameter in this list names the state.
 */
const NAME_PARAMETERS = ["state", "state_name", "name", "file", "filename", "path", "stack", "workspace"];

/** A query parameter: its decoded name, and its whole text as written in the URL. */
interface RawParameter {
  readonly name: string;
  readonly text: string;
}

/**
 * Returns the URL of the journal of a state: `…/prod-journal` for `…/prod`, and `/?state=prod-journal` for
 * `/?state=prod`. If both the path and a parameter can contain the name, the path and the parameter change. A storage
 * may use either of the two.
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

/**
 * Returns a URL for messages. The query can contain a token, so the result contains only the name of the state from the
 * query.
 */
export function safeUrl(url: URL): string {
  const name = parametersOf(url).find((one) => NAME_PARAMETERS.includes(one.name));
  return `${url.origin}${url.pathname}${name === undefined ? "" : `?${name.text}`}`;
}

/**
 * Returns a key that is equal for two URLs of one document. The order of parameters and a slash at the end of the path make no
 * difference.
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

/**
 * Returns the parameter that contains the name of the state. In a URL without a path, the only parameter contains the
 * name, even if `NAME_PARAMETERS` does not contain this parameter.
 */
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
