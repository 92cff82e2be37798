// Serves a provider to Terraform and OpenTofu through plugin protocol 6, and writes provider mirrors. Planning and
// applying objects is in `framework`.

export { ownPlatform, platformOf, SCRIPT_PLATFORMS } from "./mirror/platform";
export type { PluginProgram } from "./mirror/provider-package";
export { writeMirror } from "./mirror/write-mirror";
export { type ReattachServer, servePlugin, serveReattach } from "./serve";
