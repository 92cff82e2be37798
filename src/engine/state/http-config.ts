import { fail } from "../../diagnostics";

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
}

/**
 * Reads the block; what it leaves out comes from the environment, `TF_HTTP_ADDRESS` for `address` and so on.
 *
 * @throws DiagnosticError `state_http_configuration`
 */
export function httpBackendConfig(
  block: HttpBackendBlock,
  env: Readonly<Record<string, string | undefined>> = process.env,
): HttpBackendConfig {
  const get = (name: string): string | undefined => {
    const value = block[name] ?? env[`TF_HTTP_${name.toUpperCase()}`];
    return value === undefined || value === null || value === "" ? undefined : String(value);
  };
  const address = get("address");
  if (address === undefined) {
    wrong("`address` is missing. Set it in the backend block, or in the environment as TF_HTTP_ADDRESS");
  }
  const [url, fromAddress] = withoutCredentials("address", address);
  const lock = optionalUrl("lock_address", get("lock_address"));
  const unlock = optionalUrl("unlock_address", get("unlock_address"));
  const username = get("username");
  const authorization = username === undefined ? fromAddress : basic(username, get("password") ?? "");
  return {
    address: url,
    journalAddress: optionalUrl("journal_address", get("journal_address")) ?? besideState(url),
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

const optionalUrl = (name: string, text: string | undefined): URL | undefined =>
  text === undefined ? undefined : withoutCredentials(name, text)[0];

/** `…/state/production` has its journal at `…/state/production-journal`: a name that storages take. */
function besideState(address: URL): URL {
  const journal = new URL(address);
  journal.pathname = `${address.pathname.replace(/\/+$/, "")}-journal`;
  return journal;
}

/** An address may carry a user and a password; they go into the header and nowhere else. */
function withoutCredentials(
  name: string,
  text: string,
): [url: URL, authorization: (() => string) | undefined] {
  if (!URL.canParse(text)) wrong(`\`${name}\` is not an address such as https://host/path`);
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    wrong(`\`${name}\` does not begin with https:// or http://`);
  const authorization =
    url.username === ""
      ? undefined
      : basic(decodeURIComponent(url.username), decodeURIComponent(url.password));
  url.username = "";
  url.password = "";
  return [url, authorization];
}

const basic = (username: string, password: string): (() => string) => {
  const header = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  return () => header;
};

function wholeNumber(name: string, text: string): number {
  return /^\d{1,6}$/.test(text) ? Number(text) : wrong(`\`${name}\` is not a whole number`);
}
