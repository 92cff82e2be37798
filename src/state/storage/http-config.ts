import { constants } from "node:buffer";
import { fail } from "../../diagnostics";
import { isPlainHttpAllowed, readProxy } from "../../http";
import { addressKey, earlierJournalAddressOf, journalAddressOf } from "./http-addresses";

/** The attributes of a `backend "http"` block. */
export type HttpBackendBlock = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The URLs of a state over HTTP, and the settings of the connection. */
export type HttpBackendConfig = Readonly<ReturnType<typeof httpBackendConfig>>;

/** The default of STEWARD_STATE_MAX_BYTES, in bytes. */
const DEFAULT_MAX_BYTES = 512_000_000;
/** The default of STEWARD_STATE_TIMEOUT, in seconds. */
const DEFAULT_TIMEOUT_SECONDS = 300;
/** The maximum timeout in seconds. A timer of Node with a longer time would fire at once. */
const MAX_SECONDS = 2_000_000;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the backend block. Omitted attributes come from the environment, such as `TF_HTTP_ADDRESS` for `address`. The limits of
 * size and time come only from the environment, because Terraform refuses unknown attributes in a block.
 *
 * @throws DiagnosticError `state_http_configuration`, `state_plain_http_refused`
 */
export function httpBackendConfig(block: HttpBackendBlock, env: Environment) {
  const get = (name: string): string | undefined => {
    const value = block[name] ?? env[`TF_HTTP_${name.toUpperCase()}`];
    return value === undefined || value === null || value === "" ? undefined : String(value);
  };
  const address = get("address");
  if (address === undefined) {
    wrong("`address` is missing. Set it in the backend block, or in the environment as TF_HTTP_ADDRESS");
  }
  const [url, fromAddress] = checkedAddress("address", address, env);
  const optional = (name: string): URL | undefined => {
    const text = get(name);
    return text === undefined ? undefined : checkedAddress(name, text, env)[0];
  };
  const username = get("username");
  const [certificate, key] = [get("client_certificate_pem"), get("client_private_key_pem")];
  if ((certificate === undefined) !== (key === undefined)) {
    wrong("`client_certificate_pem` and `client_private_key_pem` go together. Set both, or none");
  }
  const givenJournal = optional("journal_address");
  const addresses = {
    address: url,
    /**
     * The URL of the journal, which is a second document of the storage. The lock of the state also protects the
     * journal.
     */
    journalAddress: givenJournal ?? journalAddressOf(url),
    updateMethod: get("update_method") ?? "POST",
    /** The address of the lock. Without this address, the state is not locked. */
    lockAddress: optional("lock_address"),
    lockMethod: get("lock_method") ?? "LOCK",
    unlockAddress: optional("unlock_address"),
    unlockMethod: get("unlock_method") ?? "UNLOCK",
  };
  requireSeparateAddresses(addresses);
  const earlier = earlierJournalAddressOf(url);
  const hasMoved = givenJournal === undefined && addressKey(earlier) !== addressKey(addresses.journalAddress);
  return {
    ...addresses,
    /** Whether the URL of the journal is derived from the URL of the state. */
    isJournalDerived: givenJournal === undefined,
    /** The URL where earlier releases kept the journal, if it differs from `journalAddress`. */
    earlierJournalAddress: hasMoved ? earlier : undefined,
    /** The authorization header. All secrets here are functions, so that a printed object does not show them. */
    authorization: username === undefined ? fromAddress : basic(username, get("password") ?? ""),
    skipCertVerification: get("skip_cert_verification") === "true",
    caCertificatePem: get("client_ca_certificate_pem"),
    clientCertificatePem: certificate,
    clientPrivateKeyPem: key === undefined ? undefined : () => key,
    retryMax: integer("retry_max", get("retry_max") ?? "2"),
    retryWaitMinMs: integer("retry_wait_min", get("retry_wait_min") ?? "1") * 1000,
    retryWaitMaxMs: integer("retry_wait_max", get("retry_wait_max") ?? "30") * 1000,
    /** Maximum size of a state in bytes. */
    maxBytes: maxBytes(env["STEWARD_STATE_MAX_BYTES"]),
    /** Milliseconds for one request with all attempts and pauses. */
    timeoutMs: timeout(env["STEWARD_STATE_TIMEOUT"]) * 1000,
    /**
     * Returns the proxy for an origin, if there is one. The field is a function, because the URL of a proxy can contain
     * a password.
     */
    proxyFor: (origin: URL) => readProxy(env, origin),
  };
}

function wrong(what: string): never {
  return fail({
    code: "state_http_configuration",
    summary: 'Backend "http" is not set up',
    detail: `${what}.`,
  });
}

interface Addresses {
  readonly address: URL;
  readonly journalAddress: URL;
  readonly updateMethod: string;
  readonly lockAddress: URL | undefined;
  readonly lockMethod: string;
  readonly unlockAddress: URL | undefined;
  readonly unlockMethod: string;
}

/** Throws if two of the addresses are equal. For example, a request for the lock must not change the state. */
function requireSeparateAddresses(addresses: Addresses): void {
  const { address, journalAddress, updateMethod, lockAddress, lockMethod } = addresses;
  const { unlockAddress, unlockMethod } = addresses;
  const isSame = (one: URL, other: URL) => addressKey(one) === addressKey(other);
  if (isSame(address, journalAddress))
    wrong(
      "The journal would overwrite the state, because both have the same address. Set TF_HTTP_JOURNAL_ADDRESS to another address",
    );
  for (const [name, url, method] of [
    ["lock", lockAddress, lockMethod],
    ["unlock", unlockAddress, unlockMethod],
  ] as const) {
    if (url === undefined) continue;
    if (isSame(url, journalAddress))
      wrong(
        `\`${name}_address\` is the address of the journal. Set TF_HTTP_JOURNAL_ADDRESS to another address for the journal`,
      );
    const isRequestForState = method === updateMethod || method === "GET";
    if (isRequestForState && isSame(url, address))
      wrong(
        `\`${name}_address\` and \`${name}_method\` are the same as for the state, so the lock would overwrite the state. Set another address or method`,
      );
  }
}

/**
 * Checks an address, and returns the address without user and password. Also returns an authorization header with user and
 * password.
 */
function checkedAddress(
  name: string,
  text: string,
  env: Environment,
): [url: URL, authorization: (() => string) | undefined] {
  if (!URL.canParse(text)) wrong(`\`${name}\` is not a URL such as https://host/path`);
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    wrong(`\`${name}\` does not start with https:// or http://`);
  refusePlainHttp(name, url, env["STEWARD_STATE_ALLOW_PLAIN_HTTP"]);
  const authorization =
    url.username === ""
      ? undefined
      : basic(decodeURIComponent(url.username), decodeURIComponent(url.password));
  url.username = "";
  url.password = "";
  return [url, authorization];
}

/** Refuses plain HTTP unless `allowed` permits it: 1 or true for all hosts, or a host name. */
function refusePlainHttp(name: string, url: URL, allowed = ""): void {
  const isForAll = allowed === "1" || allowed === "true";
  if (url.protocol !== "http:" || isPlainHttpAllowed(url, isForAll || allowed)) return;
  fail({
    code: "state_plain_http_refused",
    summary: "State storage over plain HTTP",
    detail: `\`${name}\` of the backend uses plain HTTP to another machine, ${url.hostname}. The credentials and the state would be sent unencrypted. Nothing was sent. Use an https:// URL. If the network is trusted, set STEWARD_STATE_ALLOW_PLAIN_HTTP to ${url.hostname}, or to 1 for all hosts.`,
  });
}

const basic = (username: string, password: string): (() => string) => {
  const header = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  return () => header;
};

function integer(name: string, text: string): number {
  return /^\d{1,6}$/.test(text) ? Number(text) : wrong(`\`${name}\` is not an integer`);
}

function maxBytes(text: string | undefined): number {
  if (text === undefined || text === "") return DEFAULT_MAX_BYTES;
  // Node can't create a longer string.
  const maximum = constants.MAX_STRING_LENGTH;
  const bytes = /^\d+$/.test(text) ? Number(text) : 0;
  if (bytes >= 1 && bytes <= maximum) return bytes;
  return wrong(`\`STEWARD_STATE_MAX_BYTES\` is not an integer from 1 to ${maximum}`);
}

function timeout(text: string | undefined): number {
  if (text === undefined || text === "") return DEFAULT_TIMEOUT_SECONDS;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds;
  return wrong(`\`STEWARD_STATE_TIMEOUT\` is not a number of seconds above 0, up to ${MAX_SECONDS}`);
}
