"""Run by `test_toy` in a checkout with the toy: deploys it, lets the watcher look, and prints what became of it as JSON."""

import json
import sys

from prefect.testing.utilities import prefect_test_harness


def main(source: str, store: str) -> None:
    """Serve the toy on a Prefect server of its own."""
    with prefect_test_harness(server_startup_timeout=300):
        from prefect.client.orchestration import get_client

        from flows.serving.deployments import list_deployments, write_prefect_yaml
        from flows.serving.provision import apply_deployment, create_pool
        from flows.serving.watcher import watch_sources
        from tasks.pipelines import PIPELINES

        sources = {pipeline.name: [source] if pipeline.name == "toy" else [] for pipeline in PIPELINES}
        (deployment,) = (each for each in list_deployments(sources, store) if each.name == "toy")
        create_pool()
        apply_deployment(deployment, paused=True)
        with get_client(sync_client=True) as client:
            found = client.read_deployment_by_name("toy/toy")
        announced = watch_sources(["toy"])
        again = watch_sources(["toy"])
    print(json.dumps({"entrypoint": found.entrypoint, "announced": announced, "again": again, "yaml": write_prefect_yaml()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
