// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.spring;

/** What sends an invoice to a customer. */
interface Outbox {

    /** Sends one; gives the mark of its dispatch. */
    String send(String invoice) throws Exception;
}
