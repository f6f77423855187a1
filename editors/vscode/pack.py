"""The extension for VS Code, packed: a .vsix is a zip with a manifest. Unsigned, for `code --install-extension`.

`make vscode` bundles the client first; `python editors/vscode/pack.py --grammar` writes only the TextMate grammar.
"""

import json
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from rulespec.docgen.textmate import textmate_text

HOME = Path(__file__).parent
GRAMMAR = HOME / "syntaxes" / "rules.tmLanguage.json"
FILES = (
    *("package.json", "README.md", "language-configuration.json"),
    *("syntaxes/rules.tmLanguage.json", "dist/extension.js"),
)
WHEN = (2020, 1, 1, 0, 0, 0)  # the same files make the same archive

TYPES = """\
<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".js" ContentType="application/javascript"/>
  <Default Extension=".md" ContentType="text/markdown"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
"""
MANIFEST = """\
<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={name} Version={version} Publisher={publisher}/>
    <DisplayName>{title}</DisplayName>
    <Description xml:space="preserve">{about}</Description>
    <Categories>{categories}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def manifest() -> str:
    """What the marketplace and the editor read first."""
    package = json.loads((HOME / "package.json").read_text("utf-8"))
    return MANIFEST.format(
        name=quoteattr(package["name"]),
        version=quoteattr(package["version"]),
        publisher=quoteattr(package["publisher"]),
        title=escape(package["displayName"]),
        about=escape(package["description"]),
        categories=escape(",".join(package["categories"])),
        engine=quoteattr(package["engines"]["vscode"]),
    )


def pack(target: Path, bundle: bytes) -> None:
    """Write the archive, with this client."""
    contents = {
        "[Content_Types].xml": TYPES.encode(),
        "extension.vsixmanifest": manifest().encode(),
    }
    for name in FILES:
        is_bundle = name == "dist/extension.js"
        contents[f"extension/{name}"] = bundle if is_bundle else (HOME / name).read_bytes()
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(zipfile.ZipInfo(name, WHEN), content, zipfile.ZIP_DEFLATED)


def main() -> None:
    """Write the grammar, and pack."""
    GRAMMAR.write_text(textmate_text(), "utf-8")
    if "--grammar" not in sys.argv:
        bundle, target = sys.argv[1:]
        pack(Path(target), Path(bundle).read_bytes())
        print(f"{target} is written; `code --install-extension {target}` installs it")


if __name__ == "__main__":
    main()
