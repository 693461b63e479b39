/** The command that tortures servers and clients. */
@NullMarked
package io.longhaul.cli.torture;

import org.jspecify.annotations.NullMarked;
