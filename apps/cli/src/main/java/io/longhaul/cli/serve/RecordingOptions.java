// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.file.ServerFile;
import io.longhaul.file.settings.Recording;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.event.Level;

/** The options for the audit log and the log. */
final class RecordingOptions {
    private static final Option AUDIT = Option.valued(
            "--audit", "FILE|off", "write the audit log here; by default to audit.log in the data folder");
    private static final Option LEVEL =
            Option.valued("--log-level", "LEVEL", "the least severe level to log: error, warn, info, debug or trace");
    private static final Option FILE =
            Option.valued("--log-file", "FILE", "log to this file, renamed at 10 MB, instead of standard error");
    private static final Option FORMAT =
            Option.valued("--log-format", "text|json", "the format of each log line; text by default");

    private static final Pattern FILTER = Pattern.compile("(client|tool|task)=(.+)");

    /** What a server does for the developer of its file. */
    static final Option DEV = Option.optional(
            "--dev",
            "client|tool|task=NAME",
            FILTER,
            "log the messages of each client, or some of them, without secrets, and show all in the console");

    static final List<Option> ALL = List.of(AUDIT, LEVEL, FILE, FORMAT, DEV);

    private RecordingOptions() {}

    /** The file, overridden by the command line. */
    static ServerFile over(ServerFile file, Arguments arguments) {
        var said = file.recording();
        var audit = arguments.value(AUDIT).map(text -> audit(text, said.audit().files()));
        var messages = Optional.of(arguments.values(DEV)).filter(values -> !values.isEmpty());
        return file.recording(new Recording(
                audit.orElse(said.audit()), log(said.log(), arguments), messages.map(RecordingOptions::filter)));
    }

    private static Map<String, String> filter(List<String> values) {
        var filter = new HashMap<String, String>();
        for (var value : values) {
            var match = FILTER.matcher(value);
            if (match.matches()) {
                filter.put(match.group(1), match.group(2));
            } else if (!value.isEmpty()) {
                throw new UsageException(
                        DEV.name() + " \"" + value + "\" is no filter. Write one such as tool=deploy, or none.");
            }
        }
        return filter;
    }

    private static Recording.Audit audit(String text, Recording.Files files) {
        return text.equals("off")
                ? new Recording.Audit(false, files)
                : new Recording.Audit(true, files.at(absolute(AUDIT, text)));
    }

    private static Recording.Log log(Recording.Log said, Arguments arguments) {
        var level = arguments
                .value(LEVEL, Recording::level, "is no level. " + Recording.LEVELS + ".")
                .or(said::level);
        var json = arguments.isJson(FORMAT).orElse(said.json());
        var path = arguments.value(FILE).map(text -> absolute(FILE, text));
        return new Recording.Log(level, json, path.map(said.files()::at).orElse(said.files()));
    }

    private static Path absolute(Option option, String text) {
        if (text.isBlank()) {
            throw new UsageException(option.name() + " needs a file.");
        }
        return Path.of(text).toAbsolutePath();
    }

    /**
     * The level of the log: the configured one, else that of the environment. Else INFO, which shows calls, except on
     * standard error with a stdio host, because hosts show each line there as a problem of the server: then WARN.
     */
    static Optional<Level> level(Recording.Log log, boolean isStdio, Optional<String> environment) {
        boolean isUsual = log.level().isEmpty() && environment.isEmpty();
        return isUsual ? Optional.of(isStdio && log.files().path().isEmpty() ? Level.WARN : Level.INFO) : log.level();
    }
}
