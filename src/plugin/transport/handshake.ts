/** By these Terraform and its plugins know each other; both are part of the protocol, and no secret. */
const COOKIE_NAME = "TF_PLUGIN_MAGIC_COOKIE";
const COOKIE = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";
const CORE_PROTOCOL = 1;
export const PROTOCOL_VERSION = 6;

type Environment = Readonly<Record<string, string | undefined>>;

/** What Terraform sets in the environment of a plugin that it starts. */
export const handshakeEnvironment = (clientCertificate: string): Readonly<Record<string, string>> => ({
  [COOKIE_NAME]: COOKIE,
  PLUGIN_PROTOCOL_VERSIONS: String(PROTOCOL_VERSION),
  PLUGIN_CLIENT_CERT: clientCertificate,
});

/** What a person is told who starts the program by hand, or with too old a Terraform; nothing when all is well. */
export function refusal(env: Environment): string | undefined {
  if (env[COOKIE_NAME] !== COOKIE) {
    return (
      "This program is a plugin: Terraform and OpenTofu start it themselves, and by hand it does nothing.\n" +
      "Name the provider in required_providers, and run terraform init.\n"
    );
  }
  const offered = env["PLUGIN_PROTOCOL_VERSIONS"]?.split(",") ?? [];
  if (offered.length === 0 || offered.includes(String(PROTOCOL_VERSION))) return undefined;
  return (
    `This provider speaks version ${PROTOCOL_VERSION} of the plugin protocol, and it was offered ${offered.join(", ")}. ` +
    "Use Terraform 1.0 or later, or OpenTofu.\n"
  );
}

/** The one line on stdout by which Terraform finds the plugin. */
export function handshakeLine(socket: string, certificate: Buffer | undefined): string {
  const parts = [CORE_PROTOCOL, PROTOCOL_VERSION, "unix", socket, "grpc"];
  // Go's raw base64 has no padding.
  const own = certificate?.toString("base64").replace(/=+$/, "");
  return `${[...parts, ...(own === undefined ? [] : [own])].join("|")}\n`;
}

/** Whether a line is such a one, of this protocol's version. */
export const isHandshakeLine = (line: string): boolean =>
  line.startsWith(`${CORE_PROTOCOL}|${PROTOCOL_VERSION}|`);
