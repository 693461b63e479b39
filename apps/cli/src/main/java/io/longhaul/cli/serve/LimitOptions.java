// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.file.ServerFile;
import io.longhaul.file.settings.Limit;
import io.longhaul.file.settings.Limits;
import io.longhaul.file.text.SimilarWord;

/** Limits on the command line, by their names in a file. */
final class LimitOptions {
    static final Option OPTION = Option.valued(
            "--limit",
            "NAME=VALUE",
            "set a limit by its name in docs/LIMITS.md, such as livePerOwner=20; may be repeated");

    private LimitOptions() {}

    /** The file, with the limits of the command line in front. */
    static ServerFile over(ServerFile file, Arguments arguments) {
        var limits = Limits.DEFAULT;
        for (var text : arguments.values(OPTION)) {
            limits = with(limits, text);
        }
        var all = limits.over(file.limits());
        UsageException.expect("the limits do not go together: ", all::tasks);
        if (file.triggers().stream().anyMatch(trigger -> trigger.isForgetful(file.tools(), all))) {
            throw new UsageException(
                    "the limits keep the tasks of a trigger for less than ten minutes, while a message is"
                            + " good: it could make a second task.");
        }
        return file.limited(all);
    }

    private static Limits with(Limits limits, String text) {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new UsageException(
                    "--limit \"" + text + "\" is no limit. Write NAME=VALUE, such as livePerOwner=20.");
        }
        var name = text.substring(0, equals);
        var limit = Limit.named(name)
                .orElseThrow(() -> new UsageException(
                        "--limit " + name + ": there is no such limit. " + SimilarWord.advice(name, Limit.words())));
        return UsageException.expect("--limit: ", () -> limits.with(limit, text.substring(equals + 1)));
    }
}
