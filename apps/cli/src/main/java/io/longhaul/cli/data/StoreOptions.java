// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.data;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.args.Option;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.engine.store.NodeRole;
import io.longhaul.file.ServerFile;
import io.longhaul.file.secret.PrivateFile;
import io.longhaul.file.settings.StoreAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The options for the database that keeps the tasks of a file. */
public final class StoreOptions {
    private static final Option DATABASE =
            Option.valued("--store", "URL", "the database: jdbc:postgresql://HOST:PORT/DATABASE?user=NAME");
    public static final Option STORE = Option.valued(
            DATABASE.name(), "URL", "keep tasks in this database: jdbc:postgresql://HOST:PORT/DATABASE?user=NAME");
    private static final Option PASSWORD = Option.valued(
            "--store-password-file",
            "FILE",
            "a file with the password of the database; or set " + StoreAddress.VARIABLE);
    private static final Option NODE = Option.valued(
            "--node", "NAME", "the name of this server in the database; by default, a name kept in its data folder");
    private static final Option WAIT = Option.valued(
            "--wait-for-store",
            "TIME",
            "how long a start waits for a database that cannot be reached; by default, 60s for a service of"
                    + " systemd, else no time");

    private static final Option ROLE = Option.valued(
            "--role", "ROLE", "front: take calls and run no tasks; work: run tasks and take no calls; by default, all");
    private static final Option LABEL =
            Option.valued("--label", "NAME", "a label, for tools that name it in on:; may be repeated");

    /** The options of commands that read a database. */
    public static final List<Option> OF_DATABASE = List.of(DATABASE, PASSWORD);

    public static final List<Option> ALL = List.of(STORE, PASSWORD, NODE, ROLE, LABEL, WAIT);

    private static final Duration WAIT_OF_SERVICE = Duration.ofSeconds(60);

    private StoreOptions() {}

    /**
     * The database that a command line names, by itself or by a file of tools.
     *
     * @throws UsageException where neither names one
     */
    public static StoreAddress database(Optional<ServerFile> file, Arguments arguments) {
        return named(file.flatMap(ServerFile::store), arguments)
                .orElseThrow(() -> new UsageException("which database? Write " + STORE.name()
                        + " jdbc:postgresql://HOST:PORT/DATABASE?user=NAME, or name a file of tools that has store:."));
    }

    private static Optional<StoreAddress> named(Optional<StoreAddress> inFile, Arguments arguments) {
        var named = arguments.value(STORE).map(StoreOptions::address).or(() -> inFile);
        var password = arguments.value(PASSWORD).map(Path::of);
        return password.isPresent()
                ? named.map(store -> store.withPassword(env -> Optional.of(read(password.get()))))
                : named;
    }

    /** The file, overridden by the command line. */
    public static ServerFile over(ServerFile file, Arguments arguments) {
        var named = named(file.store(), arguments);
        if (named.isEmpty()) {
            for (var option : List.of(PASSWORD, NODE, ROLE, LABEL, WAIT)) {
                if (arguments.has(option)) {
                    throw new UsageException(
                            option.name() + " goes with " + STORE.name() + ". Add the address of the database.");
                }
            }
            return file;
        }
        var store = named.get();
        var node = arguments.value(NODE);
        var kind = arguments.constant(ROLE, NodeRole.Kind.class).orElse(NodeRole.Kind.ALL);
        var labels = Set.copyOf(arguments.values(LABEL));
        if (labels.stream().anyMatch(String::isBlank)) {
            throw new UsageException(LABEL.name() + " has no name. Write one that tools name in on:, such as gpu.");
        }
        labels.stream().filter(label -> label.contains(",")).findFirst().ifPresent(label -> {
            var each = Stream.of(label.split(","))
                    .map(one -> LABEL.name() + " " + one.strip())
                    .collect(Collectors.joining(" "));
            throw new UsageException(LABEL.name() + " is one label, not \"" + label + "\". Write " + each + ".");
        });
        if (kind == NodeRole.Kind.FRONT && !labels.isEmpty()) {
            throw new UsageException(ROLE.name() + " front and " + LABEL.name()
                    + " do not go together: such a server runs no tasks. Leave out one of them.");
        }
        var placed = store.withRole(new NodeRole(kind, labels));
        return file.storing(node.isPresent() ? placed.withNode(node.get()) : placed);
    }

    /** Whether the command line begins a server without a port for clients. */
    public static boolean isForWork(Arguments arguments) {
        return arguments
                .constant(ROLE, NodeRole.Kind.class)
                .filter(NodeRole.Kind.WORK::equals)
                .isPresent();
    }

    /** How long a start waits for its database: a service manager starts servers before the database has come up. */
    public static Duration patience(Arguments arguments, Map<String, String> env) {
        var process = String.valueOf(ProcessHandle.current().pid());
        boolean isService = process.equals(env.get("SYSTEMD_EXEC_PID"));
        return arguments.duration(WAIT).orElse(isService ? WAIT_OF_SERVICE : Duration.ZERO);
    }

    private static StoreAddress address(String url) {
        return StoreAddress.of(checked(url, "a file for " + PASSWORD.name() + " or into " + StoreAddress.VARIABLE));
    }

    /** The address of a database, for a command that takes its password only from a variable. */
    public static String checked(String url) {
        return checked(url, StoreAddress.VARIABLE);
    }

    /** @param password the place where the password may be instead */
    private static String checked(String url, String password) {
        StoreAddress.problem(url).ifPresent(problem -> {
            throw new UsageException("what " + STORE.name() + " names " + problem
                    + ". Write jdbc:postgresql://HOST:PORT/DATABASE?user=NAME, and put the password into " + password
                    + ".");
        });
        return url;
    }

    private static String read(Path file) {
        try {
            return PrivateFile.secret(file);
        } catch (IOException e) {
            throw new UsageException("the password of the database in " + file + " " + e.getMessage()
                    + ". Write it there, for this user alone.");
        }
    }
}
