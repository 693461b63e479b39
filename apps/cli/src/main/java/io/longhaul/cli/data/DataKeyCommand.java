// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.data;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.command.CliCommand;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.engine.store.StoreException;
import io.longhaul.store.jdbc.DataKeys;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Makes a key for a data folder.
 *
 * @param clock gives the day, which is the default id of a key
 */
public record DataKeyCommand(InstantSource clock) implements CliCommand {

    @Override
    public Help help() {
        return new Help(
                "data-key [ID]",
                "print a new key for serve --data-keys",
                List.of(
                        "Add the line to a file that only the server's user can read, outside the data folder.",
                        "The first key of the file seals new data; the other keys open data that they have sealed.",
                        "Without ID, today's date is the id of the key."),
                List.of());
    }

    @Override
    public int run(Arguments arguments, Terminal terminal) {
        arguments.expectWords(1);
        var id = arguments.words().stream()
                .findFirst()
                .orElseGet(() ->
                        LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toString());
        try {
            terminal.out().println(DataKeys.generate(id, new SecureRandom()));
            return ExitCode.OK;
        } catch (StoreException e) {
            throw new UsageException(
                    "the id \"" + id + "\" is none: use up to 32 letters, digits, dots, dashes and" + " underscores.");
        }
    }
}
