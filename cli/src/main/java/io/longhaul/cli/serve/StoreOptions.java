// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.args.UsageException;
import io.longhaul.cli.config.ServerFile;
import io.longhaul.cli.config.StoreAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** On the command line, which database keeps the tasks of a file. */
final class StoreOptions {
    static final String STORE = "--store";
    private static final String PASSWORD = "--store-password-file";
    private static final String NODE = "--node";

    static final List<Option> ALL = List.of(
            Option.valued(STORE, "URL", "keep tasks in this database: jdbc:postgresql://HOST:PORT/DATABASE?user=NAME"),
            Option.valued(
                    PASSWORD,
                    "FILE",
                    "the password of the database; " + StoreAddress.VARIABLE + " may hold it instead"),
            Option.valued(
                    NODE, "NAME", "this server among those of the database; by default a name that its folder keeps"));

    private StoreOptions() {}

    /** The file with what the command line says, which wins. */
    static ServerFile over(ServerFile file, Arguments arguments) {
        var named = arguments.value(STORE).map(StoreOptions::address).or(file::store);
        if (named.isEmpty()) {
            for (var option : List.of(PASSWORD, NODE)) {
                if (arguments.has(option)) {
                    throw new UsageException(option + " goes with " + STORE + ". Add the address of the database.");
                }
            }
            return file;
        }
        var store = named.get();
        var password = arguments.value(PASSWORD).map(Path::of);
        if (password.isPresent()) {
            store = store.withPassword(env -> Optional.of(read(password.get())));
        }
        var node = arguments.value(NODE);
        return file.storing(node.isPresent() ? store.withNode(node.get()) : store);
    }

    private static StoreAddress address(String url) {
        var problem = StoreAddress.problem(url);
        if (problem.isPresent()) {
            throw new UsageException("what " + STORE + " names " + problem.get()
                    + ". Write jdbc:postgresql://HOST:PORT/DATABASE?user=NAME, and put the password into a file for "
                    + PASSWORD + " or into " + StoreAddress.VARIABLE + ".");
        }
        return StoreAddress.of(url);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UsageException("the password of the database in " + file
                    + " cannot be read. Write it there, for this user alone.");
        }
    }
}
