package io.longhaul.cli;

/** Starts the command line. */
public final class Main {
    private static final String USAGE = "usage: longhaul <command> [options]";

    private Main() {}

    public static void main(String[] args) {
        System.err.println(USAGE);
        System.exit(args.length == 0 ? 0 : 2);
    }
}
