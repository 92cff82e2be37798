import { constants } from "node:buffer";
import { fail } from "../../diagnostics";
import { isPlainHttpAllowed, type ProxySettings, readProxy } from "../../http";

/** What the configuration says in its `backend "http"` block, by the names of that block. */
export type HttpBackendBlock = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Where a state is kept over HTTP, and how to speak with that place. */
export interface HttpBackendConfig {
  readonly address: URL;
  /** Where runs note what they are about to do: a second state, under the lock of the first. */
  readonly journalAddress: URL;
  readonly updateMethod: string;
  /** Left out: the state is not locked. */
  readonly lockAddress?: URL;
  readonly lockMethod: string;
  readonly unlockAddress?: URL;
  readonly unlockMethod: string;
  /** The header that names the user. A function, as is every secret here: nobody prints it by accident. */
  readonly authorization?: () => string;
  readonly skipCertVerification: boolean;
  readonly caCertificatePem?: string;
  readonly clientCertificatePem?: string;
  readonly clientPrivateKeyPem?: () => string;
  readonly retryMax: number;
  readonly retryWaitMinMs: number;
  readonly retryWaitMaxMs: number;
  /** Bytes of a state at the most. */
  readonly maxBytes: number;
  /** Milliseconds for one request with all its repetitions and the pauses between them. */
  readonly timeoutMs: number;
  /** The proxy between, if there is one. A function, as its address may hold a password. */
  readonly proxyTo: (origin: URL) => ProxySettings | undefined;
}

/** Bytes of a state at the most, where STEWARD_STATE_MAX_BYTES says nothing. */
const DEFAULT_MAX_BYTES = 512_000_000;
/** Seconds for one request in all, where STEWARD_STATE_TIMEOUT says nothing. */
const DEFAULT_TIMEOUT_SECONDS = 300;
/** A timer of Node can't be longer, and would fire at once. */
const LONGEST_SECONDS = 2_000_000;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the block; what it leaves out comes from the environment, `TF_HTTP_ADDRESS` for `address` and so on. The limits
 * are in the environment alone, as Terraform refuses a block with attributes that it doesn't know.
 *
 * @throws DiagnosticError `state_http_configuration`, `state_plain_http_refused`
 */
export function httpBackendConfig(
  block: HttpBackendBlock,
  env: Environment = process.env,
): HttpBackendConfig {
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
  const lock = optional("lock_address");
  const unlock = optional("unlock_address");
  const username = get("username");
  const authorization = username === undefined ? fromAddress : basic(username, get("password") ?? "");
  return {
    address: url,
    journalAddress: optional("journal_address") ?? besideState(url),
    updateMethod: get("update_method") ?? "POST",
    ...(lock === undefined ? {} : { lockAddress: lock }),
    lockMethod: get("lock_method") ?? "LOCK",
    ...(unlock === undefined ? {} : { unlockAddress: unlock }),
    unlockMethod: get("unlock_method") ?? "UNLOCK",
    ...(authorization === undefined ? {} : { authorization }),
    ...certificates(get),
    retryMax: wholeNumber("retry_max", get("retry_max") ?? "2"),
    retryWaitMinMs: wholeNumber("retry_wait_min", get("retry_wait_min") ?? "1") * 1000,
    retryWaitMaxMs: wholeNumber("retry_wait_max", get("retry_wait_max") ?? "30") * 1000,
    maxBytes: maxBytes(env["STEWARD_STATE_MAX_BYTES"]),
    timeoutMs: timeout(env["STEWARD_STATE_TIMEOUT"]) * 1000,
    proxyTo: (origin) => readProxy(env, origin),
  };
}

type TlsConfig = Pick<
  HttpBackendConfig,
  "skipCertVerification" | "caCertificatePem" | "clientCertificatePem" | "clientPrivateKeyPem"
>;

function certificates(get: (name: string) => string | undefined): TlsConfig {
  const ca = get("client_ca_certificate_pem");
  const certificate = get("client_certificate_pem");
  const key = get("client_private_key_pem");
  if ((certificate === undefined) !== (key === undefined)) {
    wrong("`client_certificate_pem` and `client_private_key_pem` go together. Set both, or none");
  }
  return {
    skipCertVerification: get("skip_cert_verification") === "true",
    ...(ca === undefined ? {} : { caCertificatePem: ca }),
    ...(certificate === undefined ? {} : { clientCertificatePem: certificate }),
    ...(key === undefined ? {} : { clientPrivateKeyPem: () => key }),
  };
}

function wrong(what: string): never {
  return fail({
    code: "state_http_configuration",
    summary: 'Backend "http" is not set up',
    detail: `${what}.`,
  });
}

/** `…/state/production` has its journal at `…/state/production-journal`: a name that storages take. */
function besideState(address: URL): URL {
  const journal = new URL(address);
  journal.pathname = `${address.pathname.replace(/\/+$/, "")}-journal`;
  return journal;
}

/** An address may carry a user and a password; they go into the header and nowhere else. */
function checkedAddress(
  name: string,
  text: string,
  env: Environment,
): [url: URL, authorization: (() => string) | undefined] {
  if (!URL.canParse(text)) wrong(`\`${name}\` is not an address such as https://host/path`);
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    wrong(`\`${name}\` does not begin with https:// or http://`);
  refusePlainHttp(name, url, env["STEWARD_STATE_ALLOW_PLAIN_HTTP"]);
  const authorization =
    url.username === ""
      ? undefined
      : basic(decodeURIComponent(url.username), decodeURIComponent(url.password));
  url.username = "";
  url.password = "";
  return [url, authorization];
}

/** `allowed` is 1 or true for all hosts, or the name of one. */
function refusePlainHttp(name: string, url: URL, allowed = ""): void {
  const isForAll = allowed === "1" || allowed === "true";
  if (url.protocol !== "http:" || isPlainHttpAllowed(url, isForAll || allowed)) return;
  fail({
    code: "state_plain_http_refused",
    summary: "State storage over plain http",
    detail:
      `\`${name}\` of the backend is plain http to ${url.hostname}, which is another machine: the credentials and the state ` +
      "would travel unencrypted. Nothing was sent. Use an https:// address, or set STEWARD_STATE_ALLOW_PLAIN_HTTP to " +
      `${url.hostname} (or to 1, for all hosts) where the network between is trusted.`,
  });
}

const basic = (username: string, password: string): (() => string) => {
  const header = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  return () => header;
};

function wholeNumber(name: string, text: string): number {
  return /^\d{1,6}$/.test(text) ? Number(text) : wrong(`\`${name}\` is not a whole number`);
}

function maxBytes(text: string | undefined): number {
  if (text === undefined || text === "") return DEFAULT_MAX_BYTES;
  // A longer text can't be made of the bytes.
  const most = constants.MAX_STRING_LENGTH;
  const bytes = /^\d+$/.test(text) ? Number(text) : 0;
  if (bytes >= 1 && bytes <= most) return bytes;
  return wrong(`\`STEWARD_STATE_MAX_BYTES\` is not a whole number of bytes from 1 to ${most}`);
}

function timeout(text: string | undefined): number {
  if (text === undefined || text === "") return DEFAULT_TIMEOUT_SECONDS;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds > 0 && seconds <= LONGEST_SECONDS) return seconds;
  return wrong(`\`STEWARD_STATE_TIMEOUT\` is not a number of seconds above 0, up to ${LONGEST_SECONDS}`);
}
