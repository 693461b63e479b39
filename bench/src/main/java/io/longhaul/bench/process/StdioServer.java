// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.process;

import io.longhaul.bench.run.Scratch;
import java.util.List;

/** How a server starts that speaks over its input and output. */
public interface StdioServer {

    /**
     * The command.
     *
     * @param folder for its files, empty at first
     */
    List<String> command(Scratch folder) throws Exception;
}
