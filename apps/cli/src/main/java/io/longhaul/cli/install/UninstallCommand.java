// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.install;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.SafeText;
import java.io.IOException;
import java.util.List;

/** Takes a server out of the configuration of a host. */
public final class UninstallCommand implements CliCommand {

    private static final Option TO = Option.valued("--to", "PATH", "change this file instead of the host's own");

    @Override
    public Help help() {
        return new Help(
                "uninstall " + String.join("|", Host.words()) + " NAME|FILE|URL",
                "take a server out of the configuration of a host",
                List.of(
                        "NAME is what the host calls the server: install has told it. The rest of the file stays.",
                        "--behind, or NAME longhaul-gateway, puts the servers back that install --behind has moved."),
                List.of(TO, InstallTarget.NAME, InstallTarget.BEHIND));
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) throws IOException {
        if (arguments.has(InstallTarget.BEHIND)) {
            return restore(InstallTarget.behind(arguments, TO, terminal), terminal);
        }
        var target = InstallTarget.of(arguments, TO);
        if (target.isByCommand()) {
            return ClaudeCode.removing(target.name()).run(terminal);
        }
        var file = target.file(terminal);
        boolean isGateway = target.name().equals(Behind.NAME) && file.host().edit() instanceof JsonEdit;
        if (isGateway && Behind.of(file, terminal).isThere()) {
            return restore(file, terminal);
        }
        if (!file.remove(target.name())) {
            throw new UsageException("there is no server " + target.name() + " in " + file.path() + ".");
        }
        terminal.say(SafeText.line(target.name()) + " is no more in " + file.path() + ". Restart "
                + target.host().title() + ".");
        return ExitCode.OK;
    }

    private static int restore(HostFile file, Terminal terminal) throws IOException {
        var behind = Behind.of(file, terminal);
        if (!behind.isThere()) {
            throw new UsageException("no servers of " + file.path() + " are behind a gateway.");
        }
        var names = SafeText.line(String.join(", ", behind.restore()));
        terminal.say(names + " are in " + file.path() + " again. Restart "
                + file.host().title() + ".");
        return ExitCode.OK;
    }
}
