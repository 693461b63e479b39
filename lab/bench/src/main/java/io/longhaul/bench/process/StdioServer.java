// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.process;

import io.longhaul.bench.run.Scratch;
import java.util.List;

/** Gives the command of a server that speaks over standard input and output. */
public interface StdioServer {

    /**
     * The command.
     *
     * @param folder for the files of the server, empty at first
     */
    List<String> command(Scratch folder) throws Exception;
}
