package io.longhaul.cli.serve;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.args.UsageException;
import io.longhaul.cli.config.MetricsAddress;
import io.longhaul.cli.config.ServerFile;

/** On the command line, where metrics and health are served. */
final class MetricsOptions {
    static final Option OPTION = Option.valued(
            "--metrics", "PORT", "serve /metrics and /health on this port of 127.0.0.1, or on ADDRESS:PORT");

    private MetricsOptions() {}

    /** The file with what the command line says, which wins. */
    static ServerFile over(ServerFile file, Arguments arguments) {
        return arguments
                .value(OPTION.name())
                .map(text -> MetricsAddress.parse(text)
                        .orElseThrow(() -> new UsageException(
                                "--metrics \"" + text + "\" is no port. " + MetricsAddress.ADVICE + ".")))
                .map(file::measured)
                .orElse(file);
    }
}
