/**
 * Terraform and its plugins recognize each other by this cookie; it is part of the protocol, and no secret.
 */
const COOKIE_NAME = "TF_PLUGIN_MAGIC_COOKIE";
const COOKIE = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";
const CORE_PROTOCOL = 1;
export const PROTOCOL_VERSION = 6;

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment that Terraform sets for a plugin. */
export const handshakeEnvironment = (clientCertificate: string): Readonly<Record<string, string>> => ({
  [COOKIE_NAME]: COOKIE,
  PLUGIN_PROTOCOL_VERSIONS: String(PROTOCOL_VERSION),
  PLUGIN_CLIENT_CERT: clientCertificate,
});

/** The message for a user who starts the program by hand, or with a Terraform that is too old. */
export function refusal(env: Environment): string | undefined {
  if (env[COOKIE_NAME] !== COOKIE) {
    return (
      "This program is a plugin that Terraform and OpenTofu start themselves; it does nothing " +
      "when started by hand.\nName the provider in required_providers, and run terraform init.\n"
    );
  }
  const offered = env["PLUGIN_PROTOCOL_VERSIONS"]?.split(",") ?? [];
  if (offered.length === 0 || offered.includes(String(PROTOCOL_VERSION))) return undefined;
  return (
    `This provider speaks version ${PROTOCOL_VERSION} of the plugin protocol, and the client ` +
    `offers ${offered.join(", ")}. Use Terraform 1.0 or later, or OpenTofu.\n`
  );
}

/** The line on stdout that tells Terraform how to connect. */
export function handshakeLine(socket: string, certificate: Buffer | undefined): string {
  const parts = [CORE_PROTOCOL, PROTOCOL_VERSION, "unix", socket, "grpc"];
  // Go's raw base64 has no padding.
  const own = certificate?.toString("base64").replace(/=+$/, "");
  return `${[...parts, ...(own === undefined ? [] : [own])].join("|")}\n`;
}

/** Whether a line is a handshake of this protocol version. */
export const isHandshakeLine = (line: string): boolean =>
  line.startsWith(`${CORE_PROTOCOL}|${PROTOCOL_VERSION}|`);
