// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.args.UsageException;
import io.longhaul.cli.config.PortAddress;
import io.longhaul.cli.config.ServerFile;
import java.util.List;

/** The options for the ports of metrics and console. */
final class PortOptions {
    private static final Option METRICS = Option.valued(
            "--metrics", "PORT", "serve /metrics and /health on this port of 127.0.0.1, or on ADDRESS:PORT");
    private static final Option CONSOLE = Option.optional(
            "--console",
            "PORT",
            PortAddress.FORM,
            "serve pages for a browser on this port of 127.0.0.1, or on ADDRESS:PORT; by default, a free port");

    static final List<Option> ALL = List.of(METRICS, CONSOLE);

    private PortOptions() {}

    /** The file, overridden by the command line. */
    static ServerFile over(ServerFile file, Arguments arguments) {
        var measured = arguments
                .value(METRICS.name())
                .map(text -> file.measured(port(METRICS, text)))
                .orElse(file);
        return arguments
                .value(CONSOLE.name())
                .map(text -> measured.shown(text.isEmpty() ? PortAddress.FREE : port(CONSOLE, text)))
                .orElse(measured);
    }

    private static PortAddress port(Option option, String text) {
        return PortAddress.parse(text)
                .orElseThrow(() -> new UsageException(
                        option.name() + " \"" + text + "\" is no port. " + PortAddress.ADVICE + "."));
    }
}
