// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.command.Version;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.file.ServerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Packs a file of tools, with its scripts, as an MCP bundle. */
public final class BundleCommand implements CliCommand {
    private static final Option TO =
            Option.valued("--to", "PATH", "where the bundle is written; NAME-VERSION.mcpb in this folder by default");
    private static final Option INCLUDE =
            Option.valued("--include", "PATH", "one more file or folder beside the file of tools; can be repeated");
    private static final Option RUNTIME =
            Option.valued("--runtime", "DIR", "put this release of Longhaul, with its Java, into the bundle");
    private static final Option AUTHOR =
            Option.valued("--author", "NAME", "who made the bundle; the user of this machine by default");
    private static final Option REGISTRY = Option.valued(
            "--registry", "NAME", "write server.json for the MCP Registry, for a name such as io.github.ada/reports");
    private static final Option AT =
            Option.valued("--at", "URL", "with --registry: the address from which clients get the bundle");

    @Override
    public Help help() {
        return new Help(
                "bundle FILE.yaml",
                "pack a file of tools for hosts that install MCP bundles",
                List.of(
                        "The bundle has the file, its OpenAPI documents and host's file, its scripts and their",
                        "helpers. The host asks its user for each {env: NAME} of the file. A bundle without --runtime",
                        "starts Longhaul by npx, and one with it runs on machines of the same system without Node or",
                        "Java.",
                        "exit codes: 0 written, 2 usage or a mistake in the file"),
                List.of(TO, INCLUDE, RUNTIME, AUTHOR, REGISTRY, AT));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws IOException {
        arguments.expectWords(1);
        var path = Path.of(arguments.word(0, "the file that lists the tools"));
        var checked = ServerFile.check(path, terminal.env()).examined(path).usable();
        var runtime = arguments.value(RUNTIME).map(BundleRuntime::in);
        var manifest = new BundleManifest(
                checked, runtime, arguments.value(AUTHOR).orElseGet(() -> System.getProperty("user.name")));
        var name = arguments.value(REGISTRY).map(BundleCommand::registryName);
        var at = arguments.value(AT).map(BundleCommand::address);
        if (name.isPresent() != at.isPresent()) {
            throw new UsageException(REGISTRY.name() + " NAME and " + AT.name() + " URL belong together: give both.");
        }
        var to = arguments.value(TO).map(Path::of).orElseGet(() -> Path.of(manifest.fileName()));
        var found = new BundleFiles(checked);
        var files = found.all(arguments.values(INCLUDE));
        var zip = new BundleZip();
        zip.add("manifest.json", JsonText.pretty(manifest.json()).getBytes(UTF_8));
        zip.add(BundleManifest.TOOLS, files);
        if (runtime.isPresent()) {
            zip.add(BundleRuntime.FOLDER, runtime.get().files());
        }
        var bundle = zip.finished();
        write(to, bundle, terminal);
        found.needs()
                .forEach(
                        need -> terminal.say(SafeText.line(need) + " of each machine: a bundle has only files below the"
                                + " folder of " + path.getFileName() + ", named from there."));
        found.hostFile()
                .ifPresent(file -> terminal.say(SafeText.line(file.getFileName().toString())
                        + " is in the bundle with all that is written in it. Write ${NAME} there for each secret."));
        if (runtime.isEmpty() && !Version.isRelease()) {
            terminal.say("no host can fetch " + Version.TEXT + " by npx, because it is no release. Add --runtime DIR.");
        }
        if (name.isPresent() && at.isPresent()) {
            var listing = manifest.listing(name.get(), at.get(), bundle);
            write(to.resolveSibling("server.json"), JsonText.pretty(listing).getBytes(UTF_8), terminal);
        }
        return ExitCode.OK;
    }

    private static void write(Path file, byte[] bytes, Terminal terminal) {
        try {
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new UsageException(file + " cannot be written. Name a file in a folder that is there.");
        }
        terminal.out().println("wrote " + SafeText.line(file.toString()));
    }

    private static String registryName(String name) {
        if (!name.matches("[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+")) {
            throw new UsageException("a name in the registry is a reversed domain, a slash and a name, such as"
                    + " io.github.ada/reports.");
        }
        return name;
    }

    private static String address(String url) {
        // The registry wants "mcp" in the address of a bundle.
        if (!url.matches("https://[^/\\s]+/\\S*") || !url.contains("mcp")) {
            throw new UsageException(
                    "the address of a bundle begins with https:// and ends with the name of the .mcpb file.");
        }
        return url;
    }

    /** The refusal of a file of tools that no bundle can hold. */
    static UsageException refused(String field, String problem, String fix) {
        return new UsageException(field + " " + problem + ". " + fix + ".");
    }
}
