/** The fields of package.json that only this repository needs. */
const LEFT_OUT = new Set(["scripts", "devDependencies", "bundleDependencies", "overrides", "knip", "files"]);

/** Returns the package.json of the package for one library. `packages` are the packages that the files import. */
function familyManifest(manifest, { library, peers }, packages) {
  const kept = Object.fromEntries(Object.entries(manifest).filter(([key]) => !LEFT_OUT.has(key)));
  const dependencies = Object.entries(manifest.dependencies).filter(([name]) => packages.has(name));
  return {
    ...kept,
    name: `${library}-provider-steward`,
    keywords: manifest.keywords.map((word) => (word === "cdktf" ? library : word)),
    peerDependencies:
      peers === undefined ? manifest.peerDependencies : { ...peers, ...optionalPeers(manifest) },
    dependencies: Object.fromEntries(dependencies),
  };
}

/** Returns the optional peer dependencies. The optional peer dependencies are the same for both libraries. */
const optionalPeers = ({ peerDependencies, peerDependenciesMeta }) =>
  Object.fromEntries(
    Object.entries(peerDependencies).filter(([name]) => peerDependenciesMeta[name]?.optional),
  );

module.exports = { familyManifest };
