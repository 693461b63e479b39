// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.file.ServerFile;
import io.longhaul.file.settings.PortAddress;
import java.util.List;
import java.util.Optional;

/** The options for the ports of metrics and console. */
final class PortOptions {
    private static final Option METRICS = Option.valued(
            "--metrics", "PORT", "serve /metrics and /health on this port of 127.0.0.1, or on ADDRESS:PORT");
    static final Option CONSOLE = Option.optional(
            "--console",
            "PORT",
            PortAddress.FORM,
            "serve pages for a browser on this port of 127.0.0.1, or on ADDRESS:PORT; by default, a free port");

    static final List<Option> ALL = List.of(METRICS, CONSOLE);

    private PortOptions() {}

    /** The file, overridden by the command line. A developer gets a console in any case. */
    static ServerFile over(ServerFile file, Arguments arguments) {
        var measured = port(arguments, METRICS).map(file::measured).orElse(file);
        var free = Optional.of(PortAddress.FREE)
                .filter(port -> arguments.has(RecordingOptions.DEV))
                .filter(port -> file.console().isEmpty());
        return port(arguments, CONSOLE).or(() -> free).map(measured::shown).orElse(measured);
    }

    private static Optional<PortAddress> port(Arguments arguments, Option option) {
        return arguments.value(
                option,
                text -> text.isEmpty() && option.equals(CONSOLE)
                        ? Optional.of(PortAddress.FREE)
                        : PortAddress.parse(text),
                "is no port. " + PortAddress.ADVICE + ".");
    }
}
