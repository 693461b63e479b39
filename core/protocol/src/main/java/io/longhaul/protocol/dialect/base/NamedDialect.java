// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.base;

import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Traits;

/** The server's side of a generation with a fixed name and fixed traits. */
public abstract class NamedDialect implements Dialect {

    private final String name;
    private final Traits traits;

    protected NamedDialect(String name, Traits traits) {
        this.name = name;
        this.traits = traits;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Traits traits() {
        return traits;
    }
}
